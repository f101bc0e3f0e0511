// Character files beside the page that its empty state offers, e.g. ['biped.glb', 'tentacle.glb']. The build fills it in.
export default [];

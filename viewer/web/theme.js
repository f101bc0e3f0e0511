// Light or dark, before anything is drawn: what the person chose on this page, else what the system says. A classic
// script. A button with data-theme-toggle turns it over; the event "themechange" on window follows.
(() => {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  let chosen = null;
  try {
    chosen = localStorage.getItem('marrow-theme');
  } catch {
    // Pages may have no storage.
  }
  const apply = () => {
    root.dataset.theme = chosen ?? (system.matches ? 'dark' : 'light');
    dispatchEvent(new Event('themechange'));
  };
  system.addEventListener('change', apply);
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-theme-toggle]')) return;
    chosen = root.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('marrow-theme', chosen);
    } catch {
      // It holds until the page is left.
    }
    apply();
  });
  apply();
})();

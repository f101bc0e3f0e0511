// Marrow: dual_quat

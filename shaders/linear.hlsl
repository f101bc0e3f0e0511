// Marrow: linear

"""What is found out with the states and solvers: move sets, symmetry, reach, the census, and named boards."""

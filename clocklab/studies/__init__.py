"""What is found out with the states and solvers: move sets, symmetry, reach, the survey, the census, named boards.

A study returns numbers, arrays and graphs. How a state is packed or solved belongs to the modules above; what draws
or writes its results belongs to ``exports``.
"""

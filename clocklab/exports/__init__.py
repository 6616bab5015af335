"""What leaves: tables, figures, faces drawn as SVG, and the check that what is stored is what the code makes.

Nothing is found out here: a number that a table or figure shows comes from a study. Only ``figures`` imports
matplotlib, and only ``tables`` pandas.
"""

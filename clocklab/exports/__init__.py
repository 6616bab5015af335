"""What leaves the package: tables, figures, drawn clock faces, and the comparison with what is stored."""

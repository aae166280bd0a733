//! Special functions: the error function and its relatives, the normal law and Student's t.

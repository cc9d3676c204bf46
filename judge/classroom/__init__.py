"""The workspace: what instructors and administrators see and do. To everybody else its pages do not exist."""

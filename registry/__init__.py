"""The Django project of Plumbline, and the parent of its apps."""

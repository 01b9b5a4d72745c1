"""Reading what is handed in: each step checks one thing, and says where and why it refuses."""

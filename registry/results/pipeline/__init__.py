"""Reading what is submitted: each step checks one thing, and says where and why it refuses."""

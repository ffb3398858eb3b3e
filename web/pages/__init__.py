"""The features of the application, a blueprint each."""

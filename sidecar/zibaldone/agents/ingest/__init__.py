"""What a document says, for a page: portions -> a few statements of each by the model -> those that its lines hold."""

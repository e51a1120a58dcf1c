"""From words heard or typed to an answer to the question that was asked."""

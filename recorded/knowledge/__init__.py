"""What is known of RocketMQ's symptoms, causes, log statements and words: data files, and their readers."""

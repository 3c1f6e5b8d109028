"""How an answer is judged; the door is `exercise`."""

export const messages = {
  wrongOptions: "This face can't be drawn: one of its options is not allowed. Reset it and try again.",
  seedTooLong: "At most 200 signs.",
  seedHint: "The same seed always draws the same face.",
  seedIdle: "You have chosen every part yourself: set one to By seed and shuffle changes it.",
} as const;

/** What is said of a call that may or may not have happened. */
export const outcomeUnknown = {
  message: "The service stopped during this call; its outcome is unknown.",
  hint: "Check whether it happened before you repeat it, and tell the person.",
} as const;

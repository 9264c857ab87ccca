/** Google's own libraries read both. */
export const keyVariable = ["GEMINI_API_KEY", "GOOGLE_API_KEY"] as const;

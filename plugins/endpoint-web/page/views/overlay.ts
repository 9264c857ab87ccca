import { signal } from "@preact/signals";

/** What lies over the page. */
export const overlay = signal<"palette" | "keys" | undefined>(undefined);

/** Whether the list of conversations is drawn over a narrow page. */
export const isListOpen = signal(false);

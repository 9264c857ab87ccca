const randomDigit = (): string => ((crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % 16).toString(16);

/** A UUID, also where the browser has no `randomUUID` since the address is no secure one. */
export const newId = (): string => "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replaceAll("x", randomDigit);

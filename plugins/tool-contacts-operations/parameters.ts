const text = { type: "string" } as const;

/** What can be said of a contact; to change one, "" removes a field. */
export const fields = {
  last_name: text,
  email: text,
  phone: text,
  organization: text,
  job_title: text,
  notes: text,
} as const;
export const firstName = { type: "string", minLength: 1 } as const;

/** What a call can set in a contact; "" removes a field, except a name. */
export type Fields = Partial<Readonly<Record<keyof typeof fields | "first_name", string>>>;

export const contactId = { type: "string", minLength: 1 } as const;

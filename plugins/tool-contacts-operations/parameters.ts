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
export const contactId = { type: "string", minLength: 1 } as const;

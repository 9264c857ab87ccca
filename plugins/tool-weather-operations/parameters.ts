/** Where the weather is wanted: the same for all operations. */
export const place = {
  city: {
    type: "string",
    maxLength: 200,
    aliases: ["location"],
    description: "Such as Paris or Portland, Oregon; default: the person's place",
  },
  latitude: {
    type: "number",
    minimum: -90,
    maximum: 90,
  },
  longitude: {
    type: "number",
    minimum: -180,
    maximum: 180,
  },
} as const;

import type { Route } from "@pergola/sdk";

/**
 * Starts a device login. It goes on by itself until the person has entered the code or the code has expired.
 */
export const startLogin: Route = {
  method: "POST",
  path: "/api/providers/{id}/login",
  summary: "Start a provider's device login",
  params: { id: { type: "string" } },
  response: {
    type: "object",
    properties: {
      userCode: { type: "string", description: "To be entered at `verificationUri`" },
      verificationUri: { type: "string" },
      expiresIn: { type: "integer", description: "Seconds" },
    },
  },
  async handle({ params, signal }, { models }) {
    const { userCode, verificationUri, expiresIn } = await models.login(params["id"] ?? "", signal);
    return { body: { userCode, verificationUri, expiresIn } };
  },
};

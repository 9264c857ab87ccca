import { defineEndpoints, defineRoute, type ServicesWith } from "@pergola/sdk";

type Available = ServicesWith<"instructions">;

const skillSchema = {
  title: "Skill",
  type: "object",
  required: ["name", "description", "path", "own", "modelInvocation"],
  properties: {
    name: { type: "string", description: "A message that begins with `/` and this name calls it" },
    description: { type: "string", description: "What it is for, and when to use it" },
    path: { type: "string", description: "Of its `SKILL.md`" },
    own: { type: "boolean", description: "false: of a folder that is trusted" },
    modelInvocation: { type: "boolean", description: "false: models are not told of it" },
  },
} as const;

export const listSkills = defineRoute({
  method: "GET",
  path: "/api/skills",
  scope: "read",
  summary: "List the skills in force for a working directory, by name",
  query: {
    workingDirectory: {
      type: "string",
      minLength: 1,
      maxLength: 4096,
      description: "An absolute path; default: only the person's own skills",
    },
  },
  response: {
    type: "object",
    required: ["skills", "count", "warnings"],
    properties: {
      skills: { type: "array", items: skillSchema },
      count: { type: "integer" },
      warnings: {
        type: "array",
        items: { type: "string" },
        description: "What is not used, why, and what to do",
      },
    },
  },
  failures: ["invalid_value"],
  async handle({ query, caller }, { instructions }: Available) {
    const { skills, warnings } = await instructions.skills(query.workingDirectory, caller);
    return { body: { skills, count: skills.length, warnings } };
  },
});

export const skills = defineEndpoints({ group: "skills", needs: "instructions", routes: [listSkills] });

import { expect } from "chai";
import { files } from "./sample-tools.ts";
import { type RunTool, Talk } from "./talk.ts";

const readme =
  "# Garden\n\nA planner for small gardens.\n\n## Install\n\nRun npm install first.\n\n## License\n\nMIT.\n";
const packageFile = JSON.stringify({ name: "garden", version: "1.2.3", dependencies: { a: "1", b: "2" } });
const contents: Readonly<Record<string, string>> = {
  "README.md": readme,
  "package.json": packageFile,
  "empty.txt": "",
};

const run: RunTool = ({ operation, filePath }): ReturnType<RunTool> => {
  const path = typeof filePath === "string" ? filePath : "";
  if (operation === "list_dir")
    return {
      success: true,
      data: JSON.stringify({
        entries: [
          { name: "README.md", isDirectory: false },
          { name: "src", isDirectory: true },
        ],
        totalCount: 2,
      }),
      message: "",
    };
  if (operation === "get_file_info")
    return {
      success: true,
      data: JSON.stringify({
        file_size: 2048,
        file_size_human: "2 KB",
        modified_at: "2026-01-02",
        is_executable: false,
      }),
      message: "",
    };
  if (operation !== "read_file")
    return {
      success: true,
      data: JSON.stringify({ filePath: path }),
      message: `Did ${JSON.stringify(operation)} on ${path}.`,
    };
  const content = contents[path];
  if (content === undefined)
    return {
      success: false,
      error: `There is no file ${path}.`,
      error_code: "file_not_found",
      message: "Did you mean README.md?",
    };
  return {
    success: true,
    data: JSON.stringify({ totalLines: content.split("\n").length }),
    content,
    message: "",
  };
};

/** A talk beside the files of a garden planner. */
export const talk = (): Talk => new Talk({ tools: [files], run });
export const textFor = async (message: string): Promise<string> => (await talk().say(message)).text;
export const callsFor = async (message: string) => (await talk().say(message)).calls;

/** The calls that are made after a yes to the question that a message leads to. */
export async function afterYes(message: string) {
  const talked = talk();
  const { calls, text } = await talked.say(message);
  expect(calls, message).to.deep.equal([]);
  expect(text, message).to.match(/^Shall I do this: /);
  return (await talked.say("yes")).calls;
}

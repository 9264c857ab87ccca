import { expect } from "chai";
import { endlessModel, type EndlessModel, type EndlessPlan } from "../faults/support/endless-model.ts";
import { residentOf } from "../faults/support/watch-process.ts";
import { freePort, openProject, type Program, type Project } from "../support/pergola.ts";

const plans: Readonly<Record<string, EndlessPlan>> = {
  text: { field: "content" },
  reasoning: { field: "reasoning_content" },
  arguments: { field: "arguments" },
  "one line": { line: true },
};

/** MB (10⁶ bytes) that the service may take more, whatever is sent. */
const mostMore = 100;

describe("a provider that never stops", function () {
  this.timeout(120_000);
  let project: Project;
  let model: EndlessModel;
  let service: Program;
  let url: string;
  before(async () => {
    project = await openProject();
    model = await endlessModel();
    project.settings({
      "providers.list": [{ type: "custom", base_url: model.baseUrl, retry_count: 0 }],
      "providers.max_answer_bytes": 4 * 1024 * 1024,
    });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = project.begin(["start", "--port", String(port)]);
    await service.wrote("serving");
  });
  after(async () => {
    await project?.close();
    await model?.close();
  });

  const send = async (plan: EndlessPlan): Promise<string> => {
    const content = JSON.stringify({ plan: 1, ...plan });
    const answer = await fetch(`${url}/api/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "default", stream: true, messages: [{ role: "user", content }] }),
    });
    return answer.text();
  };

  for (const [name, plan] of Object.entries(plans))
    it(`X73 ${name} without end is ended at the limit, and the service stays small`, async () => {
      await send({ field: "content", bytes: 1_000_000 });
      const before = residentOf(service.child.pid!);
      let most = before;
      const watch = setInterval(() => (most = Math.max(most, residentOf(service.child.pid!))), 10);
      const said = await send(plan).finally(() => clearInterval(watch));
      expect(said).to.include('"code":"provider_error"');
      expect(said.length).to.be.below(12 * 1024 * 1024);
      expect(most - before, "MB more").to.be.at.most(mostMore);
      expect((await fetch(`${url}/health`)).status).to.equal(200);
    });
});

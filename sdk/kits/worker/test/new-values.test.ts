import { expect } from "chai";
import { WorkerConnection, type ThreadOptions } from "../index.ts";
import type { SampleTasks } from "./sample-tasks.ts";
import { sampleThread, toError } from "./support.ts";

/** The megabytes that a thread has taken for new values after work. */
async function takenBy(options: ThreadOptions): Promise<number> {
  const connection = new WorkerConnection<SampleTasks>(sampleThread(options), { toError });
  try {
    return await connection.ask("churn", null);
  } finally {
    await connection.kill();
  }
}

describe("The memory of a thread for new values", function () {
  this.timeout(30_000);

  it("is as much as V8 wants unless it is bounded", async () => {
    expect(await takenBy({})).to.be.above(4);
  });

  it("stays within its bound whatever the thread does", async () => {
    expect(await takenBy({ newValues: 3 })).to.be.at.most(3);
  });
});

import { expect } from "chai";
import { openProject, type Project } from "../../support/pergola.ts";

describe("pergola tokens", function () {
  this.timeout(30_000);
  let project: Project;
  before(async () => {
    project = await openProject();
  });
  after(() => project.close());

  it("says in the help of add what each scope opens, and where more of it stands", async () => {
    const { code, stdout } = await project.run(["tokens", "add", "--help"], { bare: true });
    expect(code).to.equal(0);
    for (const scope of ["read", "chat", "tools", "approve", "admin"])
      expect(stdout.split("Scopes:")[1]).to.match(new RegExp(`\\b${scope} \\w`));
    expect(stdout).to.include("docs/remote-access.md#scopes");
  });

  it("prints what to put behind the page's address to sign a browser in", async () => {
    const { code, stdout, stderr } = await project.run(["tokens", "add", "phone", "--link"]);
    expect([code, /^[\da-f-]{73}\n$/.test(stdout)]).to.deep.equal([0, true]);
    expect(stderr)
      .to.match(/: \/#code=\S+/)
      .and.not.include("no page");
  });
});

import { expect } from "chai";
import { documentOperations } from "../index.ts";
import { operationNamed, workspace } from "./workspace.ts";

const advertised = documentOperations.operations.filter(({ hidden }) => hidden !== true);

describe("document_operations", function () {
  this.timeout(30_000);

  it("T11: has an operation behind each bare name", () => {
    for (const [alias, operation] of Object.entries(documentOperations.aliases ?? {}))
      expect(operationNamed(operation).name).to.equal(alias);
  });

  it("G9: counts lines as other tools do: a line break ends a line and opens none", async () => {
    const { run, put } = workspace();
    const lines: Readonly<Record<string, number>> = {
      "": 0,
      a: 1,
      "a\n": 1,
      "a\nb\n": 2,
      "a\nb": 2,
      "\n": 1,
    };
    for (const [text, count] of Object.entries(lines)) {
      put("a.txt", text);
      const { data } = await run("get_doc_info", { path: "a.txt" });
      expect(data, JSON.stringify(text)).to.include({ line_count: count });
    }
  });

  it("T01: runs every operation", async () => {
    const { run, put, bytes, at } = workspace();
    put("a.txt", "hello");
    const imported = (await run("document_import", { path: "a.txt" })).data as {
      readonly document_id: string;
    };
    expect(imported).to.have.all.keys(
      "document_id filename source_url content_type file_size full_content_length preview_length import_date memory_stored content_preview style".split(
        " ",
      ),
    );
    expect(imported).to.include({
      file_size: 5,
      full_content_length: 5,
      preview_length: 5,
      import_date: "2026-01-02T03:04:05.000Z",
      source_url: null,
    });
    const { data: list } = await run("document_list");
    expect(list).to.have.nested.property("documents[0].document_id", imported.document_id);
    const { data: info } = await run("get_doc_info", { path: "a.txt" });
    expect(info).to.include({
      file_path: at("a.txt"),
      file_name: "a.txt",
      file_size: 5,
      file_size_human: "5 B",
      file_type: "text",
      line_count: 1,
    });
    expect((await run("document_delete", { document_id: imported.document_id })).data).to.deep.equal({
      document_id: imported.document_id,
      filename: "a.txt",
    });
    const { data: created } = await run("document_create", { content: "hi", format: "txt", filename: "b" });
    expect(created).to.deep.equal({
      file_path: at("b.txt"),
      filename: "b.txt",
      format: "txt",
      content_length: 2,
    });
    expect(bytes("b.txt").toString()).to.equal("hi\n");
  });

  it("T04, A10: marks paths and addresses for the policy, and takes their other spellings", () => {
    const formats = Object.fromEntries(
      documentOperations.operations.flatMap(({ name, parameters }) =>
        Object.entries(parameters).flatMap(([key, { format }]) =>
          format === undefined ? [] : [[`${name}.${key}`, format]],
        ),
      ),
    );
    expect(formats).to.deep.equal({
      "document_import.path": "path-or-uri",
      "document_create.filename": "path",
      "document_create.output_path": "path",
      "document_create.template": "path",
      "get_doc_info.path": "path",
    });
    expect(operationNamed("document_import").parameters["path"]?.aliases).to.deep.equal(["filePath", "url"]);
    expect(operationNamed("document_create").parameters["output_path"]?.aliases).to.deep.equal(["path"]);
    expect(operationNamed("get_doc_info").parameters["path"]?.aliases).to.deep.equal(["filePath"]);
  });

  it("says of everything with an effect what may happen after a crash", async () => {
    expect(operationNamed("document_create").recovery).to.equal("reconcile");
    const { put, imported, run, context } = workspace();
    const wasMade = (more: object) => {
      const args = { content: "a", format: "txt", output_path: ".", filename: "made.txt", ...more };
      return operationNamed("document_create").reconcile?.(args as never, context);
    };
    expect(await wasMade({})).to.equal("did_not_happen");
    put("made.txt", "a");
    expect(await wasMade({})).to.equal("unknown");
    expect(await wasMade({ overwrite: true })).to.equal("did_not_happen");
    put("a.txt", "hello");
    const { document_id } = await imported("a.txt");
    const outcome = () => operationNamed("document_delete").reconcile?.({ document_id } as never, context);
    expect(await outcome()).to.equal("did_not_happen");
    await run("document_delete", { document_id });
    expect(await outcome()).to.equal("happened");
  });

  it("gives the guide phrases whose arguments an operation accepts", () => {
    for (const { name, examples = [], parameters, required } of advertised) {
      expect(examples.length, name).to.be.at.least(2);
      for (const { arguments: args } of examples) {
        expect(Object.keys(parameters), name).to.include.members(Object.keys(args));
        expect(Object.keys(args), name).to.include.members([...required]);
      }
    }
  });

  it("tells of a file that is not there, a folder, and what it cannot read", async () => {
    const { put, run, failure } = workspace();
    put("a.bin", Buffer.from([0, 1, 2]));
    for (const operation of ["document_import", "get_doc_info"])
      expect(await failure(operation, { path: "none.pdf" }), operation).to.have.property(
        "code",
        "file_not_found",
      );
    expect(await failure("document_import", { path: "." })).to.have.property("code", "invalid_value");
    expect((await run("get_doc_info", { path: "." })).data).to.include({ file_type: "directory" });
    expect((await run("get_doc_info", { path: "a.bin" })).data).to.include({
      file_type: "unknown",
      file_size: 3,
    });
  });
});

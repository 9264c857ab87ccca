#!/usr/bin/env node
import path from "node:path";
import { runOneFile } from "./one-file/run-one-file.ts";

// Sources, and a build that was not finished, have no such file.
if (!runOneFile(path.join(import.meta.dirname, "all.cjs"))) await import("./command.ts");

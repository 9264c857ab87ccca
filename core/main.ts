#!/usr/bin/env node
import path from "node:path";
import { runOneFile } from "./one-file/run-one-file.ts";

// Among sources there is no such file: there, command.ts is what runs.
runOneFile(path.join(import.meta.dirname, "all.cjs"));

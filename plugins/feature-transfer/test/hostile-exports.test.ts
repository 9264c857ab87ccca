import { createWriteStream, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";

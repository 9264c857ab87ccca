export * from "./announce.ts";
export * from "./button.tsx";
export * from "./dialog.tsx";
export * from "./icon.tsx";
export * from "./lists.tsx";
export * from "./reading.tsx";

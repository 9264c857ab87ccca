export { answerInquiry, attributed, isChoice } from "./answer-inquiry.ts";
export { followChanges } from "./follow-changes.ts";
export { inEitherEra, type Mode } from "./in-either-era.ts";
export { Inquiries } from "./inquiries.ts";
export type { Inquiry, InquiryAnswer } from "./inquiry.ts";
export { makeClient } from "./make-client.ts";
export { structureOf } from "./structure-of.ts";
export { unlimited } from "./unlimited.ts";

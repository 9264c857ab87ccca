import type { Answer, Question } from "@pergola/sdk";

/** What the person will say: a yes or a no, a text, or the whole answer. */
export type ScriptedAnswer = boolean | string | Answer;

export interface ScriptedAnswers {
  /** The questions so far, in order. */
  readonly questions: readonly Question[];
  ask(question: Question): Promise<Answer>;
}

const answerOf = (answer: ScriptedAnswer): Answer => {
  if (typeof answer === "string") return { decision: "text", text: answer };
  if (typeof answer === "boolean") return { decision: answer ? "approved" : "denied", text: "" };
  return answer;
};

/** A person who gives these answers in order, and fails the test when asked once more. */
export function scriptedAnswers(answers: readonly ScriptedAnswer[]): ScriptedAnswers {
  const questions: Question[] = [];
  return {
    questions,
    async ask(question) {
      questions.push(question);
      const answer = answers[questions.length - 1];
      if (answer === undefined)
        throw new Error(`Nobody is there to answer question ${questions.length}: ${question.prompt}`);
      return answerOf(answer);
    },
  };
}

import process from "node:process";
import { createInterface } from "node:readline/promises";

/** Asks for questions in the terminal until there is an empty one or the input ends. */
export async function promptForQuestions(answer: (question: string) => Promise<void>): Promise<void> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout, prompt: "\nquestion> " });
  prompt.on("SIGINT", () => prompt.close());
  prompt.prompt();
  for await (const line of prompt) {
    if (line.trim() === "") break;
    await answer(line.trim());
    prompt.prompt();
  }
  prompt.close();
}

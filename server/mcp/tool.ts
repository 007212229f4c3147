// A tool as assistants are offered it: what it takes, what it asks the interface, and whether it changes something.

/** A JSON Schema of an object. */
export interface ToolInput {
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: false;
}

/** Named values, as a client sends them: of any kind. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A body of the interface: a success, or an error with its code. */
export type Body = Record<string, unknown>;

/** A question to the interface. */
export interface Question {
  method: 'GET' | 'POST';
  path: string;
  /** Names may repeat. */
  query?: readonly (readonly [name: string, value: string])[];
  /** Sent as JSON. */
  body?: object;
}

/** Asks the interface for the site of the caller; errors are bodies, too. */
export type AskInterface = (question: Question) => Promise<Body>;

/** How to undo what a tool did; without a tool, the sentence says why there is nothing to undo. */
export interface Undo {
  tool: string | null;
  arguments?: Record<string, unknown>;
  says: string;
}

export interface ReadTool {
  name: string;
  description: string;
  input: ToolInput;
  /** @param args Only names of `input`, each a text, number, boolean or a list of these. */
  question(args: Arguments): Question;
}

/** A tool that changes something, for callers with the write secret. */
export interface ActingTool extends ReadTool {
  /** What is lost when it is used by mistake. */
  isDestructive: boolean;
  /** Asked before anything is changed. A function is given the answer: what was made is named there. */
  undo(args: Arguments, ask: AskInterface): Promise<Undo | ((answer: Body) => Undo)>;
}

export type Tool = ReadTool | ActingTool;

export const isActing = (tool: Tool): tool is ActingTool => 'undo' in tool;

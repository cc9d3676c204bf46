/** How far long work on the server is. */

import * as v from "valibot";

export const ProgressSchema = v.object({
  stage: v.string(),
  sentence: v.string(),
  done: v.number(),
  total: v.number(),
  at_work: v.boolean(),
});
export type Progress = v.InferOutput<typeof ProgressSchema>;

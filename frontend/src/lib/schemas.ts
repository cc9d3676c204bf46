/** The shape of every JSON value that arrives from the server. What does not match is refused, never cast. */

import * as v from "valibot";

/** How one check ended. */
export const StatusSchema = v.picklist([
  "passed",
  "failed",
  "runtime_error",
  "time_limit",
  "memory_limit",
  "output_limit",
  "sandbox_violation",
  "not_run",
  "judge_error",
]);
export type Status = v.InferOutput<typeof StatusSchema>;

/** How a whole submission ended. */
export const VerdictSchema = v.picklist([
  "accepted",
  "wrong_answer",
  "runtime_error",
  "time_limit",
  "memory_limit",
  "output_limit",
  "sandbox_violation",
  "judge_error",
]);
export type Verdict = v.InferOutput<typeof VerdictSchema>;

/** One entry of a compared value. Numbers that JSON cannot carry arrive as words. */
const EntrySchema = v.union([v.number(), v.boolean(), v.picklist(["nan", "inf", "-inf"])]);
export type Entry = v.InferOutput<typeof EntrySchema>;

export interface NestedList<T> extends Array<Nested<T>> {}
export type Nested<T> = T | NestedList<T>;

const NestedEntrySchema: v.GenericSchema<unknown, Nested<Entry>> = v.lazy(() =>
  v.union([EntrySchema, v.array(NestedEntrySchema)]),
);
const NestedFlagSchema: v.GenericSchema<unknown, Nested<boolean>> = v.lazy(() =>
  v.union([v.boolean(), v.array(NestedFlagSchema)]),
);

/** An elementwise comparison; `expected`, `got` and `differs` are null where the value is too large to send. */
const ComparisonSchema = v.object({
  kind: v.literal("comparison"),
  what: v.string(),
  where: v.optional(v.string(), ""),
  shape: v.array(v.number()),
  dtype: v.nullish(v.string(), null),
  expected: v.nullish(NestedEntrySchema, null),
  got: v.nullish(NestedEntrySchema, null),
  differs: v.nullish(NestedFlagSchema, null),
  first: v.nullish(v.object({ index: v.array(v.number()), expected: EntrySchema, got: EntrySchema }), null),
  differing: v.number(),
  entries: v.number(),
  allowed: v.nullish(v.number(), null),
});
export type ComparisonDetails = v.InferOutput<typeof ComparisonSchema>;

/** An exact comparison of something that is not a tensor. */
const ValueSchema = v.object({
  kind: v.literal("value"),
  what: v.string(),
  where: v.optional(v.string(), ""),
  expected: v.string(),
  got: v.string(),
});
export type ValueDetails = v.InferOutput<typeof ValueSchema>;

export type Details = ComparisonDetails | ValueDetails;

/** Details that this version cannot draw are left out: the message of the check says the same in words. */
const DetailsSchema = v.fallback(v.nullable(v.variant("kind", [ComparisonSchema, ValueSchema])), null);

export const CheckSchema = v.object({
  order: v.number(),
  id: v.string(),
  title: v.string(),
  section: v.string(),
  sentence: v.nullish(v.object({ id: v.string(), html: v.string() }), null),
  required: v.optional(v.boolean(), true),
  status: StatusSchema,
  message: v.optional(v.string(), ""),
  hint_html: v.optional(v.string(), ""),
  details: v.optional(DetailsSchema, null),
  printed: v.optional(v.string(), ""),
  ms: v.nullish(v.number(), null),
});
export type Check = v.InferOutput<typeof CheckSchema>;

const PlannedSchema = v.object({ order: v.number(), id: v.string(), title: v.string(), section: v.string() });
export type Planned = v.InferOutput<typeof PlannedSchema>;

const SectionSchema = v.object({ id: v.string(), title: v.string() });
export type Section = v.InferOutput<typeof SectionSchema>;

/** A known mistake that explains failed checks. */
const DiagnosisSchema = v.object({
  title: v.string(),
  says_html: v.string(),
  hint_html: v.optional(v.string(), ""),
  sentence: v.nullish(v.object({ id: v.string(), html: v.string() }), null),
  section: v.optional(v.string(), ""),
  sureness: v.picklist(["sure", "likely", "possible"]),
  because: v.optional(v.string(), ""),
  checks: v.array(v.string()),
});
export type Diagnosis = v.InferOutput<typeof DiagnosisSchema>;

const LineSchema = v.array(v.nullable(v.number()));

/** A run of the experiment over the judge's own: charts by step, and every state of the first step that differs. */
const RunSchema = v.object({
  check: v.number(),
  title: v.string(),
  sentence: v.string(),
  first: v.nullable(v.object({ step: v.number(), label: v.string() })),
  charts: v.array(v.object({ title: v.string(), axis: v.string(), expected: LineSchema, got: v.nullable(LineSchema) })),
  step: v.nullable(
    v.object({
      number: v.number(),
      states: v.array(
        v.object({
          label: v.string(),
          shape: v.array(v.number()),
          expected: v.array(EntrySchema),
          got: v.nullable(v.array(EntrySchema)),
          differs: v.array(v.boolean()),
        }),
      ),
    }),
  ),
});
export type Run = v.InferOutput<typeof RunSchema>;
export type RunChart = Run["charts"][number];
export type StepState = NonNullable<Run["step"]>["states"][number];

/** The state of one submission; `checks` holds only those from the order that was asked for. */
export const StateSchema = v.object({
  id: v.string(),
  problem: v.string(),
  number: v.number(),
  url: v.string(),
  problem_url: v.optional(v.string(), ""),
  state: v.picklist(["queued", "running", "finished"]),
  place: v.nullish(v.number(), null),
  verdict: v.nullish(VerdictSchema, null),
  sentence: v.optional(v.string(), ""),
  message: v.optional(v.string(), ""),
  line: v.nullish(v.number(), null),
  printed: v.optional(v.string(), ""),
  total: v.nullish(v.number(), null),
  counts: v.object({ passed: v.number(), failed: v.number(), not_run: v.number() }),
  attempt: v.optional(v.number(), 1),
  judge_fault: v.optional(v.boolean(), false),
  ms: v.nullish(v.number(), null),
  typical_ms: v.nullish(v.number(), null),
  created_at: v.string(),
  solved: v.optional(v.boolean(), false),
  notes_url: v.nullish(v.string(), null),
  reference: v.optional(v.string(), ""),
  sections: v.optional(v.array(SectionSchema), []),
  checks: v.array(CheckSchema),
  planned: v.optional(v.array(PlannedSchema), []),
  diagnoses: v.optional(v.array(DiagnosisSchema), []),
  diagnoses_headline: v.optional(v.string(), ""),
  runs: v.optional(v.array(RunSchema), []),
});
export type State = v.InferOutput<typeof StateSchema>;

export const SubmittedSchema = v.object({ id: v.string(), url: v.string(), state_url: v.string() });
export type Submitted = v.InferOutput<typeof SubmittedSchema>;

export const SavedSchema = v.object({ saved_at: v.string() });
export const StarterSchema = v.object({ source: v.string() });

export const FailureSchema = v.object({
  error: v.object({ code: v.string(), message: v.string(), detail: v.optional(v.string(), "") }),
});

/** What the problem page carries for the workbench. */
export const ProblemDataSchema = v.object({
  slug: v.string(),
  starter: v.string(),
  source: v.string(),
  saved_at: v.nullish(v.string(), null),
  urls: v.object({
    draft: v.string(),
    submit: v.string(),
    notes: v.optional(v.string(), ""),
    submissions: v.optional(v.string(), ""),
    sign_in: v.optional(v.string(), "/accounts/sign-in/"),
  }),
  functions: v.optional(v.array(v.string()), []),
  latest: v.nullish(StateSchema, null),
  signed_in: v.boolean(),
  read_only: v.optional(v.boolean(), false),
  limits: v.optional(
    v.object({
      check_seconds: v.optional(v.number(), 2),
      total_seconds: v.optional(v.number(), 15),
      memory_mb: v.optional(v.number(), 512),
      output_kb: v.optional(v.number(), 64),
    }),
    {},
  ),
});
export type ProblemData = v.InferOutput<typeof ProblemDataSchema>;

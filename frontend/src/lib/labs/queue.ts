/** A queue of keys, first in, first out, in arrays that are made once: a step allocates nothing. */

export const LARGEST_QUEUE = 1024;

export class KeyQueue {
  private readonly vectors: Float64Array;
  private readonly labels: Uint8Array;
  private start = 0;
  private used = 0;
  private bound: number;

  /** `limit`: how many keys it holds, from 1 to `LARGEST_QUEUE`. */
  constructor(
    private readonly dimension: number,
    limit: number,
  ) {
    this.vectors = new Float64Array(LARGEST_QUEUE * dimension);
    this.labels = new Uint8Array(LARGEST_QUEUE);
    this.bound = checked(limit);
  }

  get length(): number {
    return this.used;
  }

  get limit(): number {
    return this.bound;
  }

  /** With a smaller limit the oldest keys leave at once. */
  set limit(limit: number) {
    this.bound = checked(limit);
    while (this.used > this.bound) this.dropOldest();
  }

  /** Adds a key as the newest; when the queue is full, the oldest leaves. */
  push(vector: ArrayLike<number>, offset: number, label: number): void {
    if (this.used === this.bound) this.dropOldest();
    const place = (this.start + this.used) % LARGEST_QUEUE;
    for (let axis = 0; axis < this.dimension; axis += 1) {
      this.vectors[place * this.dimension + axis] = vector[offset + axis]!;
    }
    this.labels[place] = label;
    this.used += 1;
  }

  /** The class of the entry with that age: 0 is the newest. */
  label(age: number): number {
    return this.labels[this.place(age)]!;
  }

  /** One coordinate of the entry with that age. */
  at(age: number, axis: number): number {
    return this.vectors[this.place(age) * this.dimension + axis]!;
  }

  /** How many entries are keys of that class. */
  count(label: number): number {
    let found = 0;
    for (let age = 0; age < this.used; age += 1) if (this.label(age) === label) found += 1;
    return found;
  }

  private place(age: number): number {
    return (this.start + this.used - 1 - age) % LARGEST_QUEUE;
  }

  private dropOldest(): void {
    this.start = (this.start + 1) % LARGEST_QUEUE;
    this.used -= 1;
  }
}

function checked(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_QUEUE) {
    throw new RangeError(`A queue holds 1 to ${LARGEST_QUEUE} keys, not ${limit}.`);
  }
  return limit;
}

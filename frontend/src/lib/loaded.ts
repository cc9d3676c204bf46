/** Parts of a page that come later, also over a connection that is lost on the way. */

const PAUSE_MS = 1_000;

/**
 * What `load` gives. Where it fails, it is tried again: without a connection as soon as there is one, else a single time
 * after a moment.
 */
export async function loaded<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 0; ;) {
    try {
      return await load();
    } catch (error) {
      if (!navigator.onLine) {
        await new Promise<void>((resolve) => {
          addEventListener("online", () => resolve(), { once: true });
        });
      } else if (failures === 0) {
        failures += 1;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      } else throw error;
    }
  }
}

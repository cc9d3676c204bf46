/** Keeps the settings of one lab in the address, so that a link to the page is a link to what is seen. */

import { queryFromSettings, type Settings, settingsFromQuery } from "../../lib/labs/settings";

/** Browsers refuse more than about three changes a second. */
const WAIT_MS = 350;

export class Address {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly name: string,
    private readonly prefix: string,
    private readonly placed: Settings,
  ) {}

  /** The settings of the page with those of the address. */
  read(): Settings {
    return settingsFromQuery(this.name, this.prefix, location.search, this.placed);
  }

  /** Writes `settings` when nothing has changed for a moment. */
  write(settings: Settings): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const query = queryFromSettings(this.prefix, location.search, settings, this.placed);
      const url = `${location.pathname}${query === "" ? "" : `?${query}`}${location.hash}`;
      if (url !== `${location.pathname}${location.search}${location.hash}`)
        history.replaceState(history.state, "", url);
    }, WAIT_MS);
  }
}

/** The time, to the second, for what says how long ago something was. It stands still while the page is hidden. */
export class Clock {
  now = $state(Date.now());

  constructor() {
    setInterval(() => {
      if (!document.hidden) this.now = Date.now();
    }, 1000);
  }
}

// The stream of events by which the server says that something happened at a table.

/** After how long a stream that was refused is asked for again. */
const AGAIN_MS = 5000;

export class Live {
  /**
   * `isNews` says whether an entry of the table's record is later than what is shown, `isLost` whether there was no
   * connection before; `refresh` fetches what happened.
   */
  constructor({ table, isNews, isLost, refresh }) {
    Object.assign(this, { table, isNews, isLost, refresh });
    this.events = null;
    this.isClosed = false;
  }

  listen() {
    this.events?.close();
    if (this.isClosed) return;
    const events = new EventSource(`/play/${this.table}/events`);
    events.onmessage = (event) => {
      document.body.dataset.live = 'true';
      if (this.isNews(Number(event.data))) this.refresh();
    };
    events.onopen = () => this.isLost() && this.refresh();
    events.onerror = () => {
      document.body.dataset.live = 'false';
      // A stream that is refused or has ended tells nothing: the state says why.
      this.refresh();
      if (events.readyState === EventSource.CLOSED) setTimeout(() => this.listen(), AGAIN_MS);
    };
    this.events = events;
  }

  /** Listens no more. */
  close() {
    this.isClosed = true;
    this.events?.close();
  }
}

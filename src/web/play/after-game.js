// What is there only after the game: the engine's lines, territory and the person's notes. Their scripts are loaded then.

import { $ } from './dom.js';
import { post } from './request.js';

export class AfterGame {
  /** `switched()` is called when the drawing mode of the notes has begun or ended. */
  constructor({ table, token, words, shown, board, switched }) {
    Object.assign(this, { table, token, words, shown, board, switched, navigation: shown.navigation });
    /** Promises of what the scripts make; null until they are wanted, and again if they couldn't be loaded. */
    this.analysis = null;
    this.annotations = null;
  }

  /** Shows the engine's lines and the territory. */
  async showAnalysis() {
    const { shown } = this;
    if (!shown.state.analysis) {
      $('analysis').hidden = true;
      return;
    }
    this.analysis ??= import('./analysis.js').then((module) => this.makeAnalysis(module), () => (this.analysis = null));
    const analysis = await this.analysis;
    const { state } = shown;
    $('analysis').hidden = !analysis || !state.analysis;
    if (analysis && state.analysis) analysis.show(state, shown.place, this.navigation.current?.view);
  }

  makeAnalysis({ Analysis }) {
    const ask = (ply, line) => {
      const query = new URLSearchParams({ ply, line: line.join(',') });
      return post(`/play/${this.table}/lines?${query}`, this.token);
    };
    return new Analysis({ ask, go: (ply, line) => this.navigation.go(ply, line), tint: (on) => this.tint(on), words: this.words });
  }

  /** Shows territory or not; resolves to whether it is shown. */
  async tint(on) {
    const { navigation } = this;
    navigation.territory = on;
    await navigation.reload();
    navigation.territory = Boolean(navigation.current?.territory);
    return navigation.territory;
  }

  /** Loads what the person wrote and drew again, with the colours that stand out on the board. */
  async loadAnnotations() {
    (await this.annotations)?.load();
  }

  /** Shows what the person wrote and drew. */
  async showAnnotations() {
    const { table, token, board, navigation, switched, shown } = this;
    if (!shown.state.over) return;
    const make = ({ Annotations }) => new Annotations({ table, token, board, navigation, switched });
    this.annotations ??= import('./annotations.js').then(make, () => (this.annotations = null));
    const annotations = await this.annotations;
    if (annotations && !annotations.words) await annotations.load();
    annotations?.show(shown.state, shown.place);
  }
}

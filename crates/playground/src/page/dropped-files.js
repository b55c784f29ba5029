// Files that are dragged onto the page, or pasted from the clipboard.

/** Gives files that are dropped anywhere on the page, or pasted, to `take`. While a dialog is open they go nowhere. */
export function takeDroppedFiles(take) {
  const isFree = () => document.querySelector('dialog[open]') === null;
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  const showTarget = (isShown) => document.body.classList.toggle('dropping', isShown);
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    // Without this the browser would leave the page and open the file.
    event.preventDefault();
    event.dataTransfer.dropEffect = isFree() ? 'copy' : 'none';
    showTarget(isFree());
  });
  // It has no related element when the pointer leaves the window.
  addEventListener('dragleave', (event) => event.relatedTarget === null && showTarget(false));
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    showTarget(false);
    const { files } = event.dataTransfer;
    if (isFree() && files.length > 0) take([...files]);
  });
  addEventListener('paste', (event) => {
    const { files, types } = event.clipboardData;
    // Spreadsheets put a picture of the cells beside their text.
    const isText = types.includes('text/plain') && types.includes('text/html');
    if (files.length === 0 || isText || !isFree()) return;
    event.preventDefault();
    take([...files]);
  });
}

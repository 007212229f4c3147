// Reads the document as the browser defines it. Every element with a name stands before the document's own property of
// that name: `<img name=currentScript>` is what `document.currentScript` finds, `<form name=querySelector>` what would
// be called.

/**
 * A property of the document, or a method, to be called with the document as `this`. The prototype is that of documents
 * of any kind by inheritance: the name `Document` MooTools takes for itself.
 */
export const ofDocument = <Name extends keyof Document>(name: Name): Document[Name] =>
  Reflect.get(HTMLDocument.prototype, name, document);

/** A property of the window that is no element with such an `id` or `name`: those are not its own. */
export const ofWindow = <Value>(name: string): Value | undefined =>
  Object.hasOwn(window, name) ? Reflect.get(window, name) : undefined;

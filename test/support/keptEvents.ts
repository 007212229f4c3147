// What the widget keeps in the storage of a publisher's origin for a later page view, and a way to put something there.
import type { Page } from 'playwright-core';

/** JSON of each event. Opens no database that is not there. */
export function keptEvents(page: Page): Promise<string[]> {
  return page.evaluate(async (): Promise<string[]> => {
    const known = await indexedDB.databases();
    if (!known.some(({ name }) => name === 'afterword')) return [];
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open('afterword'));
    const values = await done(database.transaction('keyval').objectStore('keyval').getAll());
    database.close();
    return values.flat().filter((value: string) => value.startsWith('{'));
  });
}

/** As if an earlier page view had kept these. @param server Origin that events are posted to. */
export function keepEvents(page: Page, server: string, events: object[]): Promise<void> {
  return page.evaluate(
    async ([key, texts]) => {
      const opening = indexedDB.open('afterword');
      await new Promise((resolve) => {
        opening.onsuccess = resolve;
      });
      const store = opening.result.transaction('keyval', 'readwrite').objectStore('keyval');
      store.put(texts, key);
      await new Promise((resolve) => {
        store.transaction.oncomplete = resolve;
      });
      opening.result.close();
    },
    [`${server}/events`, events.map((event) => JSON.stringify(event))] as const,
  );
}

export function databases(page: Page): Promise<number> {
  return page.evaluate(async () => (await indexedDB.databases()).length);
}

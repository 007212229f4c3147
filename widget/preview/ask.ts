// A question to our own server. Never throws: what went wrong is a sentence for the page.

export interface Asked<T> {
  data?: T;
  /** "" when all went well. */
  message: string;
  /** What the server calls it, where it answered. */
  code?: number | undefined;
}

interface Body<T> {
  success?: boolean;
  code?: number;
  data?: T;
  message?: string;
  errors?: Record<string, string[]>;
}

export async function ask<T>(path: string, params: Record<string, string> | string[][]): Promise<Asked<T>> {
  try {
    const response = await fetch(`${path}?${new URLSearchParams(params)}`);
    const body: Body<T> = await response.json();
    if (body.success && body.data !== undefined) return { data: body.data, message: '' };
    const complaints = Object.values(body.errors ?? {}).flat();
    return { message: complaints.join(' ') || body.message || `status ${response.status}`, code: body.code };
  } catch (error) {
    return { message: `the server did not answer (${error instanceof Error ? error.message : String(error)})` };
  }
}

// The order of the test files: those that take longest come first, so that no long one runs alone when all others are done.
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import durations from './durations.json' with { type: 'json' };

/** Seconds of the files that take longest, by path; of all others the larger files come first. */
const SECONDS: Readonly<Record<string, number>> = durations;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification) => SECONDS[relative(this.ctx.config.root, moduleId)] ?? 0;
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => (a.project.name === b.project.name ? secondsOf(b) - secondsOf(a) : 0));
  }
}

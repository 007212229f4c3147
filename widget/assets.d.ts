// Files the build turns into text.
declare module '*.css?inline' {
  const css: string;
  export default css;
}

declare module '*.css' {}

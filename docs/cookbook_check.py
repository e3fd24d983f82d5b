#!/usr/bin/env python3
"""Runs every recipe of COOKBOOK.md and compares what it prints with what the page shows.

    docs/cookbook_check.py            check
    docs/cookbook_check.py --write    put what the recipes print now into the page

A recipe is a fenced block of `python` or `r`; the `text` block after it is its output. Recipes run in the order of the
page, each in a process of its own, in a folder with results/quickstart as `conclave run experiments/quickstart.toml
--scale quick` writes it. The Python packages are installed into target/cookbook the first time; R recipes are left out,
aloud, where Rscript or a package they load is missing. The recipe with reticulate gets ./python and what its Debian
version understands in target/cookbook-r. CONCLAVE names the program; without it, cargo builds it. Recipes find it on the PATH.
"""
import difflib
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
PAGE = PROJECT / "docs" / "COOKBOOK.md"
ENVIRONMENT = PROJECT / "target" / "cookbook"
PACKAGES = ["polars", "pandas", "pyarrow", "duckdb"]
ENVIRONMENT_FOR_R = PROJECT / "target" / "cookbook-r"
# reticulate 1.28 reads no arrays of NumPy 2 and no data frames of pandas 3.
PACKAGES_FOR_R = ["numpy<2", "pandas<2.2", str(PROJECT / "python")]
RECIPE = re.compile(r"```(python|r)\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)


def interpreter_of(environment):
    interpreter = environment / "bin" / "python"
    if not interpreter.exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    return interpreter


def python():
    interpreter = interpreter_of(ENVIRONMENT)
    has_all = subprocess.run([interpreter, "-c", "import " + ", ".join(PACKAGES)], capture_output=True)
    if has_all.returncode != 0:
        subprocess.run([interpreter, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return str(interpreter)


@functools.cache
def python_for_r():
    """The Python that reticulate finds, with the package as it is now."""
    interpreter = interpreter_of(ENVIRONMENT_FOR_R)
    subprocess.run([interpreter, "-m", "pip", "install", "--quiet", *PACKAGES_FOR_R], check=True)
    return str(interpreter)


def program():
    if "CONCLAVE" in os.environ:
        return os.path.abspath(os.environ["CONCLAVE"])
    subprocess.run(["cargo", "build", "--quiet", "--release"], cwd=PROJECT, check=True)
    return str(PROJECT / "target" / "release" / "conclave")


def missing_for_r(code):
    """Why an R recipe cannot run here; None when it can."""
    if shutil.which("Rscript") is None:
        return "Rscript is not installed"
    for package in re.findall(r"library\((\w+)\)|(\w+)::", code):
        package = "".join(package)
        found = subprocess.run(["Rscript", "-e", f"find.package('{package}')"], capture_output=True)
        if found.returncode != 0:
            return f"the R package {package} is not installed"
    return None


def output_of(language, code, folder, interpreter, conclave):
    command = [interpreter, "-"] if language == "python" else ["Rscript", "--vanilla", "-"]
    # Tables are cut to the width of the terminal they think they have.
    width = {"COLUMNS": "100", "POLARS_TABLE_WIDTH": "100"}
    path = {"PATH": os.pathsep.join([os.path.dirname(conclave), os.environ.get("PATH", "")])}
    found = {"RETICULATE_PYTHON": python_for_r()} if language == "r" and "library(reticulate)" in code else {}
    environment = os.environ | width | path | found
    ran = subprocess.run(command, input=code, cwd=folder, env=environment, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"this recipe failed:\n\n{code}\n{ran.stderr}")
    return "".join(line.rstrip() + "\n" for line in ran.stdout.splitlines())


def main():
    page = PAGE.read_text()
    interpreter = python()
    counts = {"run": 0, "left out": 0, "different": 0}
    with tempfile.TemporaryDirectory() as folder:
        spec = PROJECT / "experiments" / "quickstart.toml"
        conclave = program()
        run = [conclave, "run", str(spec), "--scale", "quick", "--no-report"]
        subprocess.run(run, cwd=folder, check=True, stdout=subprocess.DEVNULL)

        def check(recipe):
            language, code, shown = recipe.groups()
            reason = missing_for_r(code) if language == "r" else None
            if reason is not None:
                counts["left out"] += 1
                print(f"left out, {reason}: {code.strip().splitlines()[0]}")
                return recipe.group(0)
            printed = output_of(language, code, folder, interpreter, conclave)
            counts["run"] += 1
            if printed != (shown or ""):
                counts["different"] += 1
                lines = [text.splitlines(keepends=True) for text in (shown or "", printed)]
                sys.stdout.writelines(difflib.unified_diff(*lines, "COOKBOOK.md", "printed now"))
            output = f"\n```text\n{printed}```\n" if printed else ""
            return f"```{language}\n{code}```\n{output}"

        checked = RECIPE.sub(check, page)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    if "--write" in sys.argv[1:]:
        PAGE.write_text(checked)
    elif counts["different"]:
        sys.exit(1)


if __name__ == "__main__":
    main()

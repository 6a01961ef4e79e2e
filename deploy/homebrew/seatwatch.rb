# Seatwatch by Homebrew, from a release's own tarball. Put this file into a tap of your team, then:
#
#   export HOMEBREW_SEATWATCH_TARBALL=file:///path/to/seatwatch-0.1.0.tar.gz   # or where your team keeps it
#   export HOMEBREW_SEATWATCH_SHA256=$(shasum -a 256 seatwatch-0.1.0.tar.gz | cut -d ' ' -f 1)
#   brew install your-team/tap/seatwatch
#   brew services start seatwatch
#
# It has no resources: the tarball's requirements.txt locks every library with its hashes, and pip holds them to it.
class Seatwatch < Formula
  include Language::Python::Virtualenv

  desc "See who holds a seat in the Claude desktop app, and who would be closed next"
  url ENV.fetch("HOMEBREW_SEATWATCH_TARBALL") { odie "Name the release's tarball in HOMEBREW_SEATWATCH_TARBALL." }
  sha256 ENV.fetch("HOMEBREW_SEATWATCH_SHA256") { odie "Name the tarball's sum in HOMEBREW_SEATWATCH_SHA256." }
  license "MIT"

  depends_on "python@3.13"

  def install
    virtualenv_create(libexec, "python3.13", without_pip: false)
    pip = [libexec/"bin/python", "-m", "pip", "--disable-pip-version-check", "install"]
    system(*pip, "--require-hashes", "-r", "requirements.txt")
    system(*pip, "--no-deps", "--no-build-isolation", ".")
    bin.install_symlink libexec/"bin/seatwatch"
    generate_completions_from_executable(bin/"seatwatch", shell_parameter_format: :typer)
  end

  service do
    run [opt_bin/"seatwatch", "serve", "--no-open"]
    keep_alive crashed: true
    process_type :background
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/seatwatch --version")
  end
end

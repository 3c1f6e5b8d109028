@echo off
rem Starts start.py with a Python that the wheels of this folder fit.
for %%v in ({versions}) do (
    py -%%v -c "" >nul 2>nul && (
        py -%%v "%~dp0start.py" %*
        goto done
    )
)
python -c "import sys; sys.exit('%%d.%%d' %% sys.version_info[:2] not in '{versions}'.split())" >nul 2>nul && (
    python "%~dp0start.py" %*
    goto done
)
echo This course needs {words}, and none was found. Install it, then start this again.
:done
if errorlevel 1 (
    pause
    exit /b 1
)
